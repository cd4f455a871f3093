"""cwltool, without what it does alike at each start: it makes the schemas of CWL, for 0.3 s, and imports all of itself to
say which version it is. Made executable by test/testkit/quick-cwltool.ts, which replaces INSTALLED and VERSION."""

import sys

if sys.argv[1:] == ["--version"]:
    print("VERSION")
    sys.exit(0)

import gc
import os
import pickle

gc.disable()  # nothing that is made until it runs is garbage

from cwltool import process
from cwltool.main import run
from schema_salad.ref_resolver import Loader

KEPT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "schemas")
# of one process: they are made anew
OWN = {"session", "fetcher_constructor", "fetcher", "fetch_text", "check_exists", "idx"}


def parts(loader):
    names = [name for name in dir(loader) if not name.startswith("__") and name not in OWN]
    values = {name: getattr(loader, name) for name in names}
    return {name: value for name, value in values.items() if not callable(value)}, dict(loader.idx)


def whole(kept):
    values, idx = kept
    loader = Loader({}, cache=values["cache"])
    for name, value in values.items():
        setattr(loader, name, value)
    loader.idx.update(idx)
    return loader


def keep(version):
    loader, names, metadata, metaschema_loader = process.get_schema(version)
    kept = parts(loader), names, metadata, parts(metaschema_loader)
    file = os.path.join(KEPT, version)
    with open(f"{file}.new", "wb") as opened:
        pickle.dump(kept, opened, pickle.HIGHEST_PROTOCOL)
    os.chmod(f"{file}.new", 0o644)
    os.rename(f"{file}.new", file)


class Schemas(dict):
    """By version: made in this process before, or kept."""

    def __contains__(self, version):
        file = os.path.join(KEPT, os.path.basename(version))
        if not super().__contains__(version) and os.path.exists(file):
            with open(file, "rb") as opened:
                loader, names, metadata, metaschema_loader = pickle.load(opened)
            self[version] = whole(loader), names, metadata, whole(metaschema_loader)
        return super().__contains__(version)


process.SCHEMA_CACHE = Schemas()
if sys.argv[1:] == ["--keep-schemas"]:  # by the suite: what runs productions has an account that cannot write here
    for version in ["v1.2", "v1.0", "v1.1"]:
        keep(version)
    sys.exit(0)
gc.enable()
sys.argv[0] = "INSTALLED"  # it is what the log names
sys.exit(run(sys.argv[1:]))
