#!/usr/bin/env node
import { onReaderGone } from './print.ts';
import { run } from './run.ts';

// If the program that reads the output stops reading, let the command finish, because the caller still needs the
// command's exit code.
onReaderGone(() => {});
process.exitCode = await run(process.argv.slice(2), process.env);
