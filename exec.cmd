@rem npm scripts begin with exec, a command of POSIX shells. On Windows, npm's shell finds this file instead: it runs the rest
@rem of the line, and tools/bootstrap.mjs says what to do.
@%*
