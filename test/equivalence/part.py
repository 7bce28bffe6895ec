"""Grows programs of mode parted: in a kernel's own body lanes leave at departures, skip branches that hold loops, and go round loops as
often as each likes, so that all who come to a region come together; or they diverge in ways of which that cannot be said.

Regions of the first kind are named in `Program.together`: on a GPU each is recorded once for all who come, whoever they are. In functions and
lambdas lanes diverge as in mode any.
"""
from grow import Grower
from program import ADDED
from statements import Exit, Foreign, If, Loop


class PartedGrower(Grower):
    def __init__(self, number, seed):
        super().__init__(number, seed, "parted")
        self.here = None  # the context of what grows

    # names: those that stand where lanes are together

    def block(self, context, *rest):
        return self.at(context, lambda: super(PartedGrower, self).block(context, *rest))

    def ending(self, body, context):
        return self.at(context, lambda: super(PartedGrower, self).ending(body, context))

    def statement(self, context):
        return self.at(context, lambda: super(PartedGrower, self).statement(context))

    def at(self, context, grow):
        before, self.here = self.here, context
        try:
            return grow()
        finally:
            self.here = before

    def region(self):
        name = super().region()
        if self.here and self.isOwn(self.here) and not self.here.isSplit:
            self.program.together.add(name)
        return name

    def grow_macro(self, context):
        """Its regions may be another function's as well."""
        return self.at(context.with_(isSplit=True), lambda: super(PartedGrower, self).grow_macro(context))

    def grow_guarded(self, context):
        """What begins and ends under a condition, as that of a bare branch."""
        return self.at(context.with_(isSplit=True), lambda: super(PartedGrower, self).grow_guarded(context))

    def grow_bare(self, context):
        return self.at(context.with_(isSplit=True), lambda: super(PartedGrower, self).grow_bare(context))

    # where lanes part

    @staticmethod
    def isOwn(context):
        """Whether in the kernel's own body."""
        return not context.isFunction and not context.inLambda

    def isFree(self, context):
        return context.isFree or not self.isOwn(context)

    def condition(self, context):
        pick = self.random
        parts = pick.random() < 0.6
        text = self.called(context) if parts else f"({self.uniform(context)} * {pick.randrange(1, 9)} + {pick.randrange(9)})"
        few = pick.choice([1, 1, 3, 7])  # of eight lanes one stays, or leaves
        return f"(({text} >> {pick.randrange(3)}) & {few}) {pick.choice(['==', '!='])} {pick.randrange(2)}", parts

    def uniform(self, context):
        return f"bits[{super().uniform(context)} & 63]" if not context.isFunction and self.random.random() < 0.2 else super().uniform(context)

    def grow_assign(self, context):
        """What is the same in all lanes stays so: behind a passage they would differ."""
        inside = context.with_(isSplit=True) if context.inPassage else context
        return super().grow_assign(inside)

    def grow_if(self, context):
        pick = self.random
        if not self.isOwn(context) or context.isSplit:
            return super().grow_if(context)
        kind = pick.choice(["departure", "passage", "passage", "any"])
        if kind == "departure" and context.mayReturn:
            then = self.block(context.with_(isSplit=True, depth=context.depth + 1, mayReturn=False, inLoop=False, inSwitch=False, labels=()), pick.randrange(2))
            return If(self.condition(context)[0], [*then, Exit("return", "")], [])
        if kind == "passage":
            inside = self.inPassage(context).with_(depth=context.depth + 1, inLoop=False, inSwitch=False)
            body = self.block(inside, pick.randrange(1, 3)) + [self.grow_loop(inside)]
            return If(self.condition(context)[0], body, [])
        return super().grow_if(context)

    @staticmethod
    def inPassage(context):
        return context.with_(inPassage=True, mayReturn=False, labels=())

    def grow_loop(self, context):
        pick = self.random
        if not self.isOwn(context) or context.isSplit or pick.random() < 0.3:
            loop = super().grow_loop(context)
            loop.kind = "while" if loop.kind == "goto" and self.isOwn(context) else loop.kind
            return loop
        counter = self.counter()
        bound = f"({self.value(context)} & {pick.choice([1, 3, 3, 7])})" if pick.random() < 0.8 else self.bound(context)
        inside = self.inPassage(context).with_(inLoop=True, inSwitch=False, isRepeated=True)
        if pick.random() < 0.25:  # who leaves it, or an iteration of it, early
            inside = inside.with_(isSplit=True, isFree=True)
        return Loop(pick.choice(["for", "while", "do"]), counter, bound, self.inner(inside))

    def inRange(self, context, mayReturn=True):
        return super().inRange(context, mayReturn).with_(isFree=False)

    def exits(self, context):
        """Where lanes are not together, none leaves the kernel: it would be without those who go on from there."""
        found = super().exits(context)
        if self.isOwn(context) and (context.isSplit or context.inPassage):
            return [each for each in found if each in ("break", "continue")]
        return [each for each in found if each != "goto" or not self.isOwn(context)]

    def grow_exit(self, context):
        if self.isOwn(context) and context.mayReturn and not context.isSplit and not context.inPassage and self.random.random() < 0.5:
            return Exit("return", self.condition(context)[0], "")
        return super().grow_exit(context)

    def grow_labeled(self, context):
        """A goto in a kernel says that its lanes may be anywhere."""
        return super().grow_labeled(context) if not self.isOwn(context) else self.grow_if(context)

    def grow_foreign(self, context):
        """Where the warp, or the block, is whole but for those who left."""
        waits = ["__syncthreads();", "__syncwarp();"] if not context.inPassage else []
        line = self.random.choice([f"atomicAdd(out + {ADDED}, {self.uniform(context)});", *waits])
        return Foreign([line], ["pass"])
