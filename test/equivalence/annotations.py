"""The annotated statements of generated kernels: regions of every spelling, ranges in every arrangement, and marks."""
from statements import Statement, cxx_block, py_block, python


def py_region(name, body, text, function):
    """A region in the model: whether a lane leaves it by its end, or sooner, is part of the event."""
    text.add(f"note('+', {name!r}, P)", "early = 1", "try:")
    inside = text.inner()
    py_block(body, inside, function)
    inside.add("early = 0")
    text.add("finally:", f"  note('-', {name!r}, early)", "  early = 1")


class Scope(Statement):
    """KPERF_SCOPE: in braces of its own, or to the end of the block that it stands in."""

    blocks = ("body",)

    def __init__(self, name, body, isBraced):
        self.name, self.body, self.isBraced = name, body, isBraced

    def cxx(self, text, function):
        if self.isBraced:
            text.add("{")
        inside = text.inner() if self.isBraced else text
        inside.add(f'KPERF_SCOPE("{self.name}");')
        cxx_block(self.body, inside, function)
        if self.isBraced:
            text.add("}")

    def py(self, text, function):
        py_region(self.name, self.body, text, function)


class Scopes(Statement):
    """KPERF_SCOPEs in braces of their own that follow each other, so that they may share records."""

    blocks = ("scopes",)

    def __init__(self, scopes):
        self.scopes = scopes

    def cxx(self, text, function):
        cxx_block(self.scopes, text, function)

    def py(self, text, function):
        py_block(self.scopes, text, function)


class Pragma(Statement):
    """#pragma kperf region in front of one statement; `child` is a list, so that it can be taken out."""

    blocks = ("child",)

    def __init__(self, name, child):
        self.name, self.child = name, [child]

    def before(self, text, function):
        for child in self.child:
            child.before(text, function)

    def cxx(self, text, function):
        for child in self.child:
            text.lines.append(f'#pragma kperf region("{self.name}")')
            child.cxx(text, function)

    def py(self, text, function):
        if self.child:
            py_region(self.name, self.child, text, function)
        else:
            text.add("pass")


class Block(Statement):
    """Braces, as a statement for a pragma."""

    blocks = ("body",)

    def __init__(self, body):
        self.body = body

    def cxx(self, text, function):
        text.add("{")
        cxx_block(self.body, text.inner(), function)
        text.add("}")

    def py(self, text, function):
        py_block(self.body, text, function)


class Declaration(Statement):
    """A pragma in front of a declaration: the region is a range, for braces would hide what is declared."""

    def __init__(self, name, variable, expression):
        self.name, self.variable, self.expression = name, variable, expression

    def cxx(self, text, function):
        text.lines.append(f'#pragma kperf region("{self.name}")')
        text.add(f"unsigned {self.name_of_local()} = {function.program.spell(self.expression)};",
                 f"{self.variable} ^= {self.name_of_local()};")

    def name_of_local(self):
        return "d_" + self.name.replace(".", "_")

    def py(self, text, function):
        local = self.name_of_local()
        text.add(f"note('b', {self.name!r}, P)", f"{local} = ({python(self.expression)}) & M",
                 f"note('e', {self.name!r}, P)", f"{self.variable} ^= {local}")


class Mark(Statement):
    def __init__(self, name, payload, isWide):
        self.name, self.payload, self.isWide = name, payload, isWide

    def cxx(self, text, function):
        if self.payload is None:
            text.add(f'KPERF_MARK("{self.name}");')
        else:
            payload = function.program.spell(self.payload)
            wide = f"(long long)({payload}) + (1ll << 40)"
            text.add(f'KPERF_MARK("{self.name}", {wide if self.isWide else payload});')

    def py(self, text, function):
        payload = "0" if self.payload is None else f"({python(self.payload)}) & M"
        text.add(f"note('m', {self.name!r}, P, {payload})")


def begin(name, text):
    text.add(f'KPERF_BEGIN("{name}");')


def end(name, text):
    text.add(f'KPERF_END("{name}");')


class Ranges(Statement):
    """BEGIN and END of one or more ranges with statements between them; `steps` has "+name", "-name" or None for a block."""

    def __init__(self, steps, bodies):
        self.steps, self.bodies = steps, bodies
        self.blocks = tuple(f"body{index}" for index in range(len(bodies)))
        for name, body in zip(self.blocks, bodies):
            setattr(self, name, body)

    def walk(self, text, function, begins, ends, block):
        bodies = iter(self.blocks)
        for step in self.steps:
            if step is None:
                block(getattr(self, next(bodies)), text, function)
            elif step[0] == "+":
                begins(step[1:], text)
                function.open.append(step[1:])
            else:
                function.open.remove(step[1:])
                ends(step[1:], text)

    def cxx(self, text, function):
        self.walk(text, function, begin, end, cxx_block)

    def py(self, text, function):
        self.walk(text, function, lambda name, text: text.add(f"note('b', {name!r}, P)"),
                  lambda name, text: text.add(f"note('e', {name!r}, P)"), py_block)


class Pipelined(Statement):
    """A range that ends in the iteration after the one that begins it."""

    blocks = ("head", "tail")

    def __init__(self, name, counter, bound, head, tail):
        self.name, self.counter, self.bound, self.head, self.tail = name, counter, bound, head, tail

    def cxx(self, text, function):
        begin(self.name, text)
        text.add(f"for (unsigned {self.counter} = 0; {self.counter} < ({function.program.spell(self.bound)}); ++{self.counter}) {{")
        inside = text.inner()
        function.open.append(self.name)
        cxx_block(self.head, inside, function)
        end(self.name, inside)
        function.open.remove(self.name)
        cxx_block(self.tail, inside, function)
        begin(self.name, inside)
        text.add("}")
        end(self.name, text)

    def py(self, text, function):
        counter = self.counter
        text.add(f"note('b', {self.name!r}, P)", f"n_{counter} = len(P); P.append(0); {counter} = 0",
                 f"while {counter} < ({python(self.bound)}):")
        inside = text.inner([f"P[n_{counter}] += 1"])
        function.open.append(self.name)
        py_block(self.head, inside, function)
        inside.add(f"note('e', {self.name!r}, P)")
        function.open.remove(self.name)
        py_block(self.tail, inside, function)
        inside.add(f"note('b', {self.name!r}, P)", f"{counter} += 1")
        text.add(f"del P[n_{counter}:]", f"note('e', {self.name!r}, P)")


class Guarded(Statement):
    """A range that lanes enter under a condition that they remember."""

    blocks = ("body",)

    def __init__(self, name, condition, body):
        self.name, self.condition, self.body = name, condition, body
        self.flag = "q_" + name.replace(".", "_")

    def cxx(self, text, function):
        text.add(f"const bool {self.flag} = {function.program.spell(self.condition)};")
        text.add(f'if ({self.flag}) KPERF_BEGIN("{self.name}");')
        cxx_block(self.body, text, function)
        text.add(f"if ({self.flag})")
        end(self.name, text.inner())

    def py(self, text, function):
        text.add(f"{self.flag} = {python(self.condition)}", f"if {self.flag}: note('b', {self.name!r}, P)")
        py_block(self.body, text, function)
        text.add(f"if {self.flag}: note('e', {self.name!r}, P)")
