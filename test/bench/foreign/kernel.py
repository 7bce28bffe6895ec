"""A kernel of a public project: where it is, where its regions are, and what builds and drives it. The tables are kernels.py and held_out.py."""
import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Project:
    url: str
    commit: str


@dataclasses.dataclass(frozen=True)
class Place:
    """Regions in one definition: annotate.annotated says how `function` and `regions` are read."""
    file: str
    function: str
    regions: tuple

    def names(self):
        return [region[0] for region in self.regions if region[0]]


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str  # project/kernel
    driver: str  # in drivers/: it includes the source, or, where that is a .cu file, becomes the end of a copy of it
    places: tuple
    copy: tuple = ()  # globs in the project: what has to lie beside the annotated files
    include: tuple = ()  # folders of the project on the include path
    others: tuple = ()  # folders of other projects on the include path
    stubs: tuple = ()  # (header that it includes, header of drivers/stubs that stands for it)
    end: str = ""  # what is compiled of the unit ends in front of the first line that contains this
    flags: tuple = ()
    libraries: tuple = ()
    standard: str = "c++17"
    arguments: tuple = ()
    program: str = ""  # the name of the kernel whose programs these are, with other arguments

    @property
    def project(self):
        return self.name.split("/")[0]

    @property
    def stem(self):
        return (self.program or self.name).replace("/", "-")

    @property
    def unit(self):
        """The project's own source file that is compiled, or nothing where what is annotated are headers."""
        return self.places[-1].file if self.places[-1].file.endswith(".cu") else ""

    @property
    def projects(self):
        return {self.project, *(folder.split("/")[0] for folder in self.others)}

    @property
    def headers(self):
        """Patterns for the headers that have the kernel or functions of it."""
        return sorted({f"*/{pathlib.PurePath(place.file).name}" for place in self.places if place.file != self.unit})
