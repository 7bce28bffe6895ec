"""One generated program: a kernel with the functions that it calls, as CUDA text and as a Python model that one lane runs."""
import random
import re

from statements import Function, Text, cxx_block, py_block

LOCALS = ["a", "b", "c", "u", "v"]
STORED, ADDED, BITS, SIZE = 3900, 3990, 4000, 4064  # where a kernel's memory has what threads store, one number that they add to, and random ones


class Callee:
    """A device function; `spelling` is plain, member or template."""

    def __init__(self, name, spelling, body):
        self.name, self.spelling, self.body = name, spelling, body

    def head(self):
        parameters = "(unsigned x, unsigned w, unsigned d)"
        return {
            "plain": f"__device__ unsigned {self.name}{parameters} {{",
            "member": f"struct S{self.name} {{ __device__ unsigned run{parameters} {{",
            "template": f"template <unsigned N> __device__ unsigned {self.name}{parameters} {{",
        }[self.spelling]

    def call(self):
        return {"plain": f"{self.name}(", "member": f"S{self.name}().run(", "template": f"{self.name}<3>("}[self.spelling]


def within(block):
    for index, statement in enumerate(block):
        yield block, index
        for name in statement.blocks:
            yield from within(getattr(statement, name))


class Program:
    def __init__(self, number, seed, mode):
        self.number, self.seed, self.mode = number, seed, mode  # mode: alike, split or any; see grow.py
        self.grownAs = number  # what names were made of
        self.callees, self.body, self.macros, self.counters = [], [], [], []
        self.instances = [0]  # arguments of a kernel template, or 0 alone
        self.grid, self.block = 1, 32
        self.shape = None  # of a block of two dimensions, whose threads are self.block
        self.locals = LOCALS
        self.called = set()  # names of regions in functions and lambdas
        self.together = set()  # in mode parted: of those to which all lanes come together that come at all

    @property
    def name(self):
        return f"k{self.number}"

    def spell(self, expression):
        """Of a call by the function's model name, the call as its spelling wants it."""
        calls = {callee.name: callee.call() for callee in self.callees}
        return re.sub(r"\b(f\d+_\d+)\(", lambda match: calls[match.group(1)], expression)

    def start(self, seed):
        return [f"unsigned a = {seed}, b = {seed} * 3 + 1, c = 1;", "unsigned u = w, v = w * 5 + 2;",
                *(f"unsigned {counter} = 0;" for counter in self.counters)]

    def cxx_callee(self, callee):
        text = Text()
        text.add(callee.head())
        inside = text.inner(self.start("x"))
        cxx_block(callee.body, inside, Function(self, True))
        text.add("} };" if callee.spelling == "member" else "}")
        return text.lines

    def cxx(self):
        """The CUDA text, line by line; annotations in it are the only trace of kperf."""
        text = Text()
        for callee in self.callees:
            text.lines += self.cxx_callee(callee)
        template = "template <unsigned N> " if self.instances != [0] else ""
        text.add(f"{template}__global__ void {self.name}(unsigned *out, unsigned w) {{")
        constant = "" if template else "constexpr unsigned N = 0; "
        thread = "t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y" if self.shape else "t = threadIdx.x, n = blockDim.x"
        inside = text.inner([f"{constant}const unsigned {thread};", f"const unsigned *const bits = out + {BITS};",
                             "__shared__ unsigned tile[64];", "w += blockIdx.x + N;", *self.start("(t + 7 * w)")])
        cxx_block(self.body, inside, Function(self, False))
        inside.add("out[blockIdx.x * n + t] = a ^ b * 31 ^ c * 17 ^ u * 7 ^ v ^ (tile[0] & 0);")
        text.add("}")
        return [self.renamed(line) for line in self.macros + self.joined(text.lines)]

    def joined(self, lines):
        """Puts some lines behind the one before, so that several annotations stand in one line; lanes that part meet again by lines."""
        if self.mode == "split":
            return lines
        pick, result = random.Random(self.seed), []
        for line in lines:
            isDirective = line.startswith("#") or not result or result[-1].startswith("#")
            if pick.random() < 0.1 and not isDirective:
                result[-1] += " " + line.strip()
            else:
                result.append(line)
        return result

    def renamed(self, text):
        """Variants of one program stand in one file, so all their names have a number."""
        return text if self.number == self.grownAs else re.sub(rf"\b((?:\w_)?[a-zA-Z]+){self.grownAs}(?=[._])", rf"\g<1>{self.number}", text)

    def py(self):
        """The model: functions that note events, and kernel(t, n, w), which returns what the lane stores or None."""
        text = Text()
        values = "; ".join(f"{counter} = 0" for counter in self.counters) or "pass"
        for callee in self.callees:
            text.add(f"def {callee.name}(x, w, d):")
            inside = text.inner(["x &= M; w &= M; d &= M", "a = x; b = (x * 3 + 1) & M; c = 1; u = w; v = (w * 5 + 2) & M",
                                 values, "n_ = len(P); P.append(0)", "try:"])
            py_block(callee.body, inside.inner(), Function(self, True))
            inside.add("finally: del P[n_:]")
        text.add("def kernel(t, n, w):")
        inside = text.inner(["a = (t + 7 * w) & M; b = (a * 3 + 1) & M; c = 1; u = w; v = (w * 5 + 2) & M", values])
        py_block(self.body, inside, Function(self, False))
        inside.add("return (a ^ b * 31 ^ c * 17 ^ u * 7 ^ v) & M")
        return self.renamed("\n".join(text.lines))

    def compiled(self):
        return compile(self.py(), self.name, "exec")

    def namesOfCalled(self):
        return {self.renamed(name) for name in self.called}

    def namesTogether(self):
        return {self.renamed(name) for name in self.together}

    def launchBlock(self):
        return f"dim3({self.shape[0]}, {self.shape[1]})" if self.shape else str(self.block)

    def statements(self):
        """Yields (list that holds it, index in it) of every statement, outer ones first."""
        for callee in self.callees:
            yield from within(callee.body)
        yield from within(self.body)

    def size(self):
        return sum(1 for _ in self.statements())
