"""Runs a program at a terminal, and types when it asks: at_terminal.py ANSWERS PROGRAM..., where ANSWERS is a JSON list
of pairs, each a part of a question and what to type. Prints what the terminal shows."""

import json
import os
import pty
import select
import sys

answers = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm", COLUMNS="200", NO_COLOR="1")
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
seen = 0
while select.select([terminal], [], [], 120)[0]:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    while answers and answers[0][0].encode() in shown[seen:]:
        seen = len(shown)
        os.write(terminal, answers.pop(0)[1].encode())

_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
