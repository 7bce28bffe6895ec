"""Grows a program from a seed.

What is predicted depends on how lanes may diverge, so each program is of one mode:
  alike  every condition is the same for all lanes of a block, so each record has all lanes;
  split  lanes diverge at if and switch only, in code that runs once, and come together behind it, so each record's lanes
         are known (in a loop or function, nothing says whether who is at its top again waits for those who are still inside);
  any    lanes diverge anywhere and leave early; who comes to a probe together is the hardware's business;
  parted lanes part so that a kernel's object can know those that go on (part.py).
"""
import random

from annotations import Block, Declaration, Guarded, Mark, Pipelined, Pragma, Ranges, Scope, Scopes
from program import ADDED, Callee, Program
from statements import Assign, Bare, Exit, Foreign, If, Labeled, Lambda, Loop, MacroUse, Switch

MODES = ("alike", "split", "any")


class Context:
    """What may stand at a place: jumps that have a target, how deep it is, and whether lanes are together."""

    def __init__(self, **members):
        self.depth, self.isSplit, self.isRepeated, self.inLoop, self.inSwitch = 0, False, False, False, False
        self.mayReturn, self.mayRecurse, self.isFunction, self.inLambda = True, False, False, False
        self.inPassage, self.isFree = False, False  # of mode parted (part.py)
        self.labels, self.counters, self.callees = (), (), ()
        self.__dict__.update(members)

    def with_(self, **members):
        return Context(**{**self.__dict__, **members})


class Grower:
    def __init__(self, number, seed, mode=None):
        self.random = random.Random(f"{seed}")
        self.program = Program(number, seed, mode or MODES[self.random.randrange(3)])
        self.regions = self.labels = self.macros = 0
        self.size = self.left = self.random.randrange(8, 24)

    def grow(self):
        program, pick = self.program, self.random
        program.grid, program.block = pick.choice([(1, 32), (2, 32), (1, 40), (1, 8), (3, 10), (1, 64), (2, 34)])
        if pick.random() < 0.2:
            program.shape = pick.choice([(16, 2), (8, 5), (20, 3), (2, 31), (64, 1)])
            program.block = program.shape[0] * program.shape[1]
        if pick.random() < 0.2:
            program.instances = pick.choice([[3], [2, 5]])
        for index in range(pick.choice([0, 0, 1, 1, 2, 3])):
            name = f"f{program.number}_{index}"
            known = tuple(callee.name for callee in program.callees)
            spelling = pick.choice(["plain", "plain", "member", "template"])
            recursive = pick.random() < 0.4 and spelling == "plain"
            context = Context(isFunction=True, isRepeated=True, callees=known, mayRecurse=name if recursive else "", depth=1)
            before = self.regions
            body = self.ending(self.block(context, pick.randrange(1, 5), False), context)
            self.noteCalled(before)
            program.callees.append(Callee(name, spelling, body))
        context = Context(callees=tuple(callee.name for callee in program.callees))
        self.left = self.size
        while self.left > 0:
            program.body += self.block(context, pick.randrange(2, 6), False)
        return program

    def ending(self, body, context):
        """A function's body ends with a return, which a scope that runs to its end may hold."""
        body.append(Exit("return", "", self.value(context)))
        if self.random.random() < 0.2:
            body[-1] = Pragma(self.region(), body[-1])
        if self.random.random() < 0.3:
            return [Scope(self.region(), body, False)]
        return body

    # names and expressions

    def region(self):
        self.regions += 1
        return f"p{self.program.number}.{self.regions}"

    def noteCalled(self, before):
        """All regions since then stand in a function or lambda."""
        self.program.called |= {f"p{self.program.number}.{index}" for index in range(before + 1, self.regions + 1)}

    def counter(self):
        name = f"i{len(self.program.counters)}"
        self.program.counters.append(name)
        return name

    def uniform(self, context):
        return self.random.choice(["u", "v", "w", *context.counters[-2:]])

    def isFree(self, context):
        """Whether lanes may diverge anywhere here."""
        return self.program.mode == "any"

    def value(self, context):
        pick = self.random
        variables = ["a", "b", "c", "u", "v", "x" if context.isFunction or context.inLambda else "t", *context.counters[-2:]]
        parts = [pick.choice(variables) for _ in range(pick.randrange(1, 4))]
        text = parts[0]
        for part in parts[1:]:
            text = f"({text} {pick.choice('+*^-&|')} {part})"
        text = f"({text} {pick.choice('+*^')} {pick.randrange(1, 50)})"
        return text if context.isFunction or pick.random() < 0.7 else f"bits[{text} & 63]"

    def condition(self, context):
        """The same for all lanes unless the mode lets lanes diverge here; returns (text, whether it parts them)."""
        pick, mode = self.random, self.program.mode
        parts = mode == "any" and pick.random() < 0.7 or mode == "split" and not context.isRepeated and pick.random() < 0.6
        text = self.called(context) if parts else f"({self.uniform(context)} * {pick.randrange(1, 9)} + {pick.randrange(9)})"
        text = f"(({text} >> {pick.randrange(3)}) & {pick.choice([1, 1, 3])}) == {pick.randrange(2)}"
        if not parts and pick.random() < 0.2:
            text = f"{text} && ({self.uniform(context)} & 3) != 0"
        return text, parts

    def called(self, context):
        """A value, or in any mode that allows it the result of a function that records."""
        if self.isFree(context) and context.callees and self.random.random() < 0.15:
            return f"{self.random.choice(context.callees)}({self.value(context)}, {self.uniform(context)}, 1)"
        return self.value(context)

    def together(self, context):
        """A condition that parts no lanes, or any that may."""
        for _ in range(20):
            text, parts = self.condition(context)
            if self.isFree(context) or not parts:
                return text
        return "(u & 1) == 0"

    def bound(self, context):
        pick = self.random
        if self.isFree(context) and pick.random() < 0.5:
            return f"({pick.choice('abc')} & 3)"
        return pick.choice(["1", "2", "3", f"({self.uniform(context)} & 1) + 1", f"({self.uniform(context)} & 3)"])

    # statements

    def block(self, context, count, isBraced=True):
        statements = []
        for _ in range(count):
            self.left -= 1
            statement = self.statement(context)
            statements.append(statement)
            if isBraced and self.random.random() < 0.07 and self.left > 0:  # the rest of the block is a region
                rest = self.block(context, 2)
                statements.append(Scope(self.region(), rest, False))
                break
        return statements

    def statement(self, context):
        choices = ["assign"] * 3 + ["mark"] * 2
        choices += ["foreign"] * (not context.isSplit and not context.isFunction and not context.inLambda)
        choices += ["call"] * 3 if context.callees and (self.program.mode != "split" or not context.isSplit) else []
        if context.mayRecurse:
            choices += ["recurse"] * 2
        if context.depth < 5 and self.left > 0:
            choices += ["scope", "pragma", "ranges", "if", "loop"] * 2 + ["switch", "labeled", "lambda", "pipelined"]
            choices += ["guarded", "macro", "bare"]
        if self.exits(context):
            choices += ["exit"] * min(3, context.depth)
        return getattr(self, "grow_" + self.random.choice(choices))(context)

    def exits(self, context):
        if context.isSplit and not self.isFree(context):
            return []
        return (["break"] * (context.inLoop or context.inSwitch) + ["continue"] * context.inLoop
                + ["return"] * context.mayReturn + ["goto"] * bool(context.labels))

    def inner(self, context, **members):
        return self.block(context.with_(depth=context.depth + 1, **members), self.random.randrange(1, 4))

    def grow_assign(self, context):
        if self.random.random() < 0.3 and not context.isSplit and not context.inLambda:
            return Assign(self.random.choice("uv"), f"({self.uniform(context)} * {self.random.randrange(2, 9)} + 1)")
        return Assign(self.random.choice("abc"), self.value(context))

    def grow_mark(self, context):
        payload = self.value(context) if self.random.random() < 0.7 else None
        return Mark(self.region(), payload, self.random.random() < 0.2)

    def grow_foreign(self, context):
        pick = self.random
        factor, variable, place = pick.randrange(2, 9), pick.choice("abc"), self.uniform(context)
        atomic = Foreign([f"atomicAdd(out + {ADDED}, {place});"], ["pass"])  # many of them in a row are thought to spin
        if self.program.mode == "any":
            return atomic
        return pick.choice([
            atomic,
            Foreign(["__syncthreads();"], ["pass"]),
            Foreign([f"{variable} ^= __shfl_xor_sync(~0u, t * {factor}, 1);"], [f"{variable} ^= (t ^ 1) * {factor}"]),
            Foreign([f"tile[t] = t * {factor} + {place};", "__syncthreads();", f"{variable} ^= tile[(t + 1) % n];", "__syncthreads();"],
                    [f"{variable} ^= ((t + 1) % n * {factor} + {place}) & M"]),
        ])

    def grow_call(self, context):
        return Assign(self.random.choice("abc"), f"{self.random.choice(context.callees)}({self.value(context)}, {self.uniform(context)}, 2)")

    def grow_recurse(self, context):
        call = f"{context.mayRecurse}({self.value(context)}, {self.uniform(context)} + d, d - 1)"
        return If("d > 0 && d < 9", [Assign(self.random.choice("abc"), call)], [])

    def grow_if(self, context):
        condition, parts = self.condition(context)
        isSplit = context.isSplit or parts
        otherwise = self.inner(context, isSplit=isSplit) if self.random.random() < 0.4 else []
        return If(condition, self.inner(context, isSplit=isSplit), otherwise)

    def grow_bare(self, context):
        condition, parts = self.condition(context)
        inside = context.with_(isSplit=context.isSplit or parts, depth=context.depth + 1)
        child = self.random.choice([self.grow_mark, lambda inside: Pragma(self.region(), self.grow_assign(inside)), self.grow_assign])
        return Bare(condition, [child(inside)])

    def grow_loop(self, context):
        kind = self.random.choice(["for", "for", "while", "do", "goto", "range"])
        counter, bound = self.counter(), self.bound(context)
        if kind == "range":
            bound = ", ".join(str(self.random.randrange(30)) for _ in range(self.random.randrange(1, 4)))
        members = {"counters": (*context.counters, counter), "isRepeated": True}
        if kind != "goto":
            members.update(inLoop=True, inSwitch=False)
        isSplit = context.isSplit or self.isFree(context)
        return Loop(kind, counter, bound, self.inner(context, isSplit=isSplit, **members))

    def grow_switch(self, context):
        pick = self.random
        _, parts = self.condition(context)
        isSplit = context.isSplit or parts
        value = f"({self.value(context) if parts else self.uniform(context)} & 3)"
        cases = [[number, self.inner(context, isSplit=isSplit, inSwitch=True), not parts and pick.random() < 0.3]
                 for number in pick.sample(range(4), pick.randrange(1, 4))]
        return Switch(value, cases, pick.choice([None, *range(len(cases))]))

    def grow_exit(self, context):
        kind = self.random.choice(self.exits(context))
        value = self.value(context) if context.isFunction or context.inLambda else ""
        if kind == "goto":
            value = self.random.choice(context.labels)
        return Exit(kind, self.together(context), value)

    def grow_labeled(self, context):
        self.labels += 1
        label = f"L{self.labels}"
        return Labeled(label, self.inner(context, labels=(*context.labels, label)))

    def grow_lambda(self, context):
        name = f"l{self.labels}"
        self.labels += 1
        inside = context.with_(inLambda=True, isRepeated=True, inLoop=False, inSwitch=False, mayReturn=True, labels=(), mayRecurse="", depth=context.depth + 1)
        before = self.regions
        body = self.ending(self.block(inside, self.random.randrange(1, 4), False), inside)
        self.noteCalled(before)
        uses = [(self.random.choice("abc"), self.value(context)) for _ in range(self.random.randrange(1, 3))]
        return Lambda(name, uses, body)

    def grow_macro(self, context):
        """A macro that annotates code of its own, used once or twice, or one that is an annotation with an argument."""
        self.macros += 1
        name, region, value = f"M{self.program.number}_{self.macros}", self.region(), self.random.randrange(1, 99)
        variable = self.random.choice("abc")
        if self.random.random() < 0.5:
            self.program.macros.append(f'#define {name}(x) KPERF_MARK("{region}", x)')
            return MacroUse(f"{name}({variable} + {value});", [f"note('m', {region!r}, P, ({variable} + {value}) & M)"])
        body = f'{{ v_ += {value}; KPERF_SCOPE("{region}"); v_ ^= 5; }}'
        self.program.macros.append(f"#define {name}(v_) {body}")
        once = [f"{variable} = ({variable} + {value}) & M", f"note('+', {region!r}, P)", f"{variable} ^= 5", f"note('-', {region!r}, 0)"]
        times = self.random.randrange(1, 3)
        return MacroUse(" ".join([f"{name}({variable})"] * times), once * times)

    # annotations

    def grow_scope(self, context):
        scopes = [Scope(self.region(), self.inner(context), True)]
        while len(scopes) < 5 and self.random.random() < 0.4:
            scopes.append(Scope(self.region(), self.inner(context), True))
        return Scopes(scopes) if len(scopes) > 1 else scopes[0]

    def grow_pragma(self, context):
        inside = context.with_(depth=context.depth + 1)
        if self.random.random() < 0.2:
            return Declaration(self.region(), self.random.choice("abc"), self.value(context))
        choices = [self.grow_assign, lambda inside: Block(self.inner(inside)), self.grow_if]
        choices += [self.grow_loop, self.grow_switch]
        return Pragma(self.region(), self.random.choice(choices)(inside))

    def inRange(self, context, mayReturn=True):
        """No jump leaves a range but return, which ends it."""
        return context.with_(depth=context.depth + 1, inLoop=False, inSwitch=False, labels=(), mayReturn=context.mayReturn and mayReturn)

    def grow_ranges(self, context):
        one, two = self.region(), self.region()
        steps = self.random.choice([
            ["+" + one, None, "-" + one],
            ["+" + one, None, "-" + one],
            ["+" + one, None, "+" + two, None, "-" + one, None, "-" + two],
            ["+" + one, "+" + two, None, "-" + two, "-" + one],
            ["+" + one, None, "+" + one, None, "-" + one, "-" + one],
            ["+" + one, None, "-" + one, None, "+" + one, "-" + one],
        ])
        inside = self.inRange(context)
        return Ranges(steps, [self.block(inside, self.random.randrange(1, 3), False) for step in steps if step is None])

    def grow_pipelined(self, context):
        inside = self.inRange(context).with_(isRepeated=True, isSplit=context.isSplit or self.isFree(context))
        counter = self.counter()
        inside.counters = (*context.counters, counter)
        return Pipelined(self.region(), counter, self.bound(context), self.block(inside, 1, False), self.block(inside, 1, False))

    def grow_guarded(self, context):
        condition, _ = self.condition(context)
        return Guarded(self.region(), condition, self.block(self.inRange(context, mayReturn=False), self.random.randrange(1, 3), False))
