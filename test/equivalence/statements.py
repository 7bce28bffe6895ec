"""The statements of generated kernels: each prints itself as CUDA and as a Python program that does the same and notes events.

A statement holds the statements inside it as lists in `blocks`, so that the reducer can take any of them out. Expressions
are texts that mean the same in both languages: unsigned 32-bit arithmetic, which Python cuts to size at each assignment.
"""

class Function:
    """What printing needs to know of the function around a statement."""

    def __init__(self, program, result):
        self.program = program
        self.result = result  # of a kernel or a void lambda: none
        self.open = []  # names of the ranges that are open here, for a return closes them


class Text:
    """Lines with their indentation."""

    def __init__(self, depth=0):
        self.lines, self.depth = [], depth

    def add(self, *lines):
        self.lines += ["  " * self.depth + line for line in lines]

    def inner(self, lines=()):
        deeper = Text(self.depth + 1)
        deeper.lines = self.lines
        deeper.add(*lines)
        return deeper


def python(expression):
    return expression.replace("&&", " and ").replace("||", " or ")


class Statement:
    blocks = ()  # names of members that are lists of statements

    def children(self):
        for name in self.blocks:
            yield from getattr(self, name)

    def cxx(self, text, function):
        raise NotImplementedError

    def py(self, text, function):
        raise NotImplementedError

    def before(self, text, function):
        """What must stand in front of a pragma that names this statement."""


def cxx_block(statements, text, function):
    for statement in statements:
        statement.before(text, function)
        statement.cxx(text, function)


def py_block(statements, text, function):
    for statement in statements:
        statement.py(text, function)
    if not statements:
        text.add("pass")


class Assign(Statement):
    def __init__(self, variable, expression):
        self.variable, self.expression = variable, expression

    def cxx(self, text, function):
        text.add(f"{self.variable} = {function.program.spell(self.expression)};")

    def py(self, text, function):
        text.add(f"{self.variable} = ({python(self.expression)}) & M")


class Foreign(Statement):
    """What lanes do together: exchange through a shuffle or shared memory, meet at a barrier, add to one number."""

    def __init__(self, cxx, py):
        self.lines, self.model = cxx, py

    def cxx(self, text, function):
        text.add(*self.lines)

    def py(self, text, function):
        text.add(*self.model)


class If(Statement):
    blocks = ("then", "otherwise")

    def __init__(self, condition, then, otherwise):
        self.condition, self.then, self.otherwise = condition, then, otherwise

    def cxx(self, text, function):
        text.add(f"if ({function.program.spell(self.condition)}) {{")
        cxx_block(self.then, text.inner(), function)
        if len(self.otherwise) == 1 and isinstance(self.otherwise[0], If):
            chain = Text(text.depth)
            self.otherwise[0].cxx(chain, function)
            text.add("} else " + chain.lines[0].strip())
            text.lines += chain.lines[1:]
            return
        if self.otherwise:
            text.add("} else {")
            cxx_block(self.otherwise, text.inner(), function)
        text.add("}")

    def py(self, text, function):
        text.add(f"if {python(self.condition)}:")
        py_block(self.then, text.inner(), function)
        text.add("else:")
        py_block(self.otherwise, text.inner(), function)


class Bare(Statement):
    """An if without braces around one statement, which may be a mark or behind a pragma."""

    blocks = ("then",)

    def __init__(self, condition, then):
        self.condition, self.then = condition, then

    def cxx(self, text, function):
        for statement in self.then:
            text.add(f"if ({function.program.spell(self.condition)})")
            statement.cxx(text.inner(), function)

    def py(self, text, function):
        text.add(f"if {python(self.condition)}:")
        py_block(self.then, text.inner(), function)


class Loop(Statement):
    """Of any spelling; `kind` is for, while, do, goto, which is none for break and continue, or range: over the numbers in `bound`."""

    blocks = ("body",)

    def __init__(self, kind, counter, bound, body):
        self.kind, self.counter, self.bound, self.body = kind, counter, bound, body

    def before(self, text, function):
        if self.kind == "range":
            text.add(f"const unsigned of_{self.counter}[] = {{{self.bound}}};")
        elif self.kind != "for":
            text.add(f"{self.counter} = 0;")

    def cxx(self, text, function):
        counter, bound = self.counter, function.program.spell(self.bound)
        heads = {
            "for": f"for (unsigned {counter} = 0; {counter} < ({bound}); ++{counter}) {{",
            "range": f"for (unsigned {counter} : of_{counter}) {{",
            "while": f"while ({counter}++ < ({bound})) {{",
            "do": "do {",
            "goto": f"{{ again_{counter}: {{",
        }
        tails = {
            "for": "}",
            "range": "}",
            "while": "}",
            "do": f"}} while (++{counter} < ({bound}));",
            "goto": f"}} if (++{counter} < ({bound})) goto again_{counter}; }}",
        }
        text.add(heads[self.kind])
        cxx_block(self.body, text.inner(), function)
        text.add(tails[self.kind])

    def py(self, text, function):
        counter, bound = self.counter, python(self.bound)
        isRange = self.kind == "range"
        text.add(f"n_{counter} = len(P); P.append(0)", "try:" if self.kind != "goto" else "if 1:")
        inside = text.inner()
        inside.add(*([f"for {counter} in ({bound},):"] if isRange else [f"{counter} = 0", "while 1:"]))
        turn = inside.inner()
        if self.kind in ("for", "while"):
            turn.add(f"if not {counter} < ({bound}):", "  break")
        if self.kind == "while":
            turn.add(f"{counter} += 1")
        turn.add(f"P[n_{counter}] += 1")
        if self.kind == "goto":
            py_block(self.body, turn, function)
        else:
            turn.add("try:")
            py_block(self.body, turn.inner(), function)
            turn.add("except Continue: pass")
        turn.add(f"del P[n_{counter} + 1:]")
        if self.kind not in ("while", "range"):
            turn.add(f"{counter} += 1")
        if self.kind in ("do", "goto"):
            turn.add(f"if not {counter} < ({bound}):", "  break")
        if self.kind == "while":
            inside.add(f"{counter} += 1")
        if self.kind != "goto":
            text.add("except Break: pass")
        text.add(f"del P[n_{counter}:]")


class Switch(Statement):
    def __init__(self, value, cases, default):
        self.value, self.cases, self.default = value, cases, default  # cases: [value, statements, falls through]
        self.blocks = tuple(f"case{index}" for index in range(len(cases)))
        for name, case in zip(self.blocks, cases):
            setattr(self, name, case[1])

    def cxx(self, text, function):
        text.add(f"switch ({function.program.spell(self.value)}) {{")
        for index, (name, case) in enumerate(zip(self.blocks, self.cases)):
            if index == self.default:
                text.add("default:")
            text.add(f"case {case[0]}: {{")
            cxx_block(getattr(self, name), text.inner(), function)
            text.add("}" if case[2] else "} break;")
        text.add("}")

    def py(self, text, function):
        entries = {case[0]: index for index, case in enumerate(self.cases)}
        other = len(self.cases) if self.default is None else self.default
        variable = f"entry_{id(self)}"
        text.add(f"{variable} = {entries}.get(({python(self.value)}) & M, {other})", "try:")
        inside = text.inner(["pass"])
        for index, (name, case) in enumerate(zip(self.blocks, self.cases)):
            inside.add(f"if {variable} <= {index}:")
            py_block(getattr(self, name), inside.inner(), function)
            if not case[2]:
                inside.inner(["raise Break"])
        text.add("except Break: pass")


class Exit(Statement):
    """break, continue, return or a jump to the end of a Labeled, under a condition."""

    def __init__(self, kind, condition, value=None):
        self.kind, self.condition, self.value = kind, condition, value

    def cxx(self, text, function):
        word = {"break": "break", "continue": "continue", "goto": f"goto {self.value}"}.get(self.kind)
        if self.kind == "return":
            word = f"return {function.program.spell(self.value)}" if function.result else "return"
        text.add(f"if ({function.program.spell(self.condition)}) {word};" if self.condition else f"{word};")

    def py(self, text, function):
        if self.condition:
            text.add(f"if {python(self.condition)}:")
            text = text.inner()
        if self.kind == "return":
            for name in sorted(function.open):
                text.add(f"note('e', {name!r}, P)")
            text.add(f"return ({python(self.value)}) & M" if function.result else "return")
        else:
            text.add({"break": "raise Break", "continue": "raise Continue", "goto": f"raise Jump({self.value!r})"}[self.kind])


class Labeled(Statement):
    blocks = ("body",)

    def __init__(self, label, body):
        self.label, self.body = label, body

    def cxx(self, text, function):
        text.add("{")
        cxx_block(self.body, text.inner(), function)
        text.add("}", f"{self.label}:;")

    def py(self, text, function):
        text.add("try:")
        py_block(self.body, text.inner(), function)
        text.add("except Jump as jump:", f"  if jump.label != {self.label!r}: raise")


class Lambda(Statement):
    """A closure that changes the variables around it, called once or twice."""

    blocks = ("body",)

    def __init__(self, name, uses, body):
        self.name, self.uses, self.body = name, uses, body

    def cxx(self, text, function):
        text.add(f"auto {self.name} = [&](unsigned x) {{")
        cxx_block(self.body, text.inner(), Function(function.program, True))
        text.add("};", *(f"{variable} = {self.name}({function.program.spell(argument)});" for variable, argument in self.uses))

    def py(self, text, function):
        text.add(f"def {self.name}(x):")
        inside = text.inner([f"nonlocal {', '.join(function.program.locals)}", "x &= M; n = len(P); P.append(0)", "try:"])
        py_block(self.body, inside.inner(), Function(function.program, True))
        inside.add("finally: del P[n:]")
        text.add(*(f"{variable} = {self.name}({python(argument)}) & M" for variable, argument in self.uses))


class MacroUse(Statement):
    """A macro of the file; its model stands for what it expands to."""

    def __init__(self, use, model):
        self.use, self.model = use, model

    def cxx(self, text, function):
        text.add(self.use)

    def py(self, text, function):
        text.add(*self.model)
