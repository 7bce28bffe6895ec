"""Makes a program that fails smaller: all that remain when one statement is taken out, or put out of what is around it, are
tried at once, as one batch, and the smallest that still fails is next."""
import copy
import re

from annotations import Pragma
from batch import Batch
from prediction import Launch, TooLong
from program import within
from statements import Bare, Exit, Lambda

MAX_VARIANTS = 150


def kindOf(why):
    """What a smaller program must fail of: the same step of the whole batch, or a difference of one launch."""
    return "a difference" if re.match(r"k\d", why) else why[:24]


def exits(statement):
    """The jumps in it, itself included."""
    inside = [block[index] for name in statement.blocks for block, index in within(getattr(statement, name))]
    return [each for each in [statement, *inside] if isinstance(each, Exit)]


def variants(program):
    """Each one statement smaller; a function's last return stays."""
    for position, (block, index) in enumerate(list(program.statements())):
        statement = block[index]
        if isinstance(statement, Lambda) or all(each.condition for each in exits(statement)):
            smaller = copy.deepcopy(program)
            target, at = list(smaller.statements())[position]
            del target[at]
            yield smaller
        isAlone = isinstance(statement, (Lambda, Pragma, Bare)) or len(block) == 1  # as a pragma's statement is
        if statement.blocks and not isAlone and not any(each.kind != "return" for each in exits(statement)):
            smaller = copy.deepcopy(program)
            target, at = list(smaller.statements())[position]
            target[at:at + 1] = [inner for name in target[at].blocks for inner in getattr(target[at], name)]
            yield smaller
    for index in range(len(program.callees)):
        smaller = copy.deepcopy(program)
        name = smaller.callees.pop(index).name
        if f"{smaller.renamed(name)}(" not in smaller.py():
            yield smaller


def launched(program, number):
    program.number = number
    try:
        return [Launch(program, instance, program.argument) for instance in program.instances]
    except (TooLong, KeyError):
        return []


def reduce(program, why, arguments):
    while True:
        found = sorted(variants(program), key=lambda smaller: smaller.size())[:MAX_VARIANTS]
        launches = [launch for number, smaller in enumerate(found) for launch in launched(smaller, number)]
        failures = Batch(arguments.work, launches, arguments).failures() if launches else []
        failures = [failure for failure in failures if kindOf(failure[1]) == kindOf(why)]
        if not failures:
            return program, why
        program, why = min(failures, key=lambda failure: failure[0].size())
