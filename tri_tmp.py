import sys, re, traceback, faulthandler
faulthandler.dump_traceback_later(500, exit=True)
from tests.test_corpus_arrays import *
want=sys.argv[1:]
seen={}
for line in open('tests/corpus/arrays_limits.txt'):
    if not line.startswith('first'): continue
    _,label,kind=line.split()[:3]
    if want and not any(re.search(w,label) for w in want) : continue
    if not want and kind=='refused': continue
    e,p=POINTS[label]
    try:
        check_first(e,p); print("OK",label); continue
    except S2sadError as x: msg="REFUSED "+str(x).splitlines()[0][:150]
    except AssertionError as x: msg="WRONG "+str(x).splitlines()[0][:150]
    except Exception as x:
        tb=traceback.extract_tb(x.__traceback__)[-1]
        msg=f"RAISES {type(x).__name__} {str(x)[:100]} at {tb.filename[-30:]}:{tb.lineno}"
    print(label, "::", msg, flush=True)
