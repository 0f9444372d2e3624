#!/usr/bin/env node
import { onReaderGone } from './print.ts';
import { run } from './run.ts';

// If the program that reads the output stops reading, run the command to its end, because its exit code is still
// needed.
onReaderGone(() => {});
process.exitCode = await run(process.argv.slice(2), process.env);
