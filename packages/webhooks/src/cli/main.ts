#!/usr/bin/env node
import { onReaderGone } from './print.ts';
import { run } from './run.ts';

// Do not stop the command when the reader of its output is gone, because the exit code still reports the result.
onReaderGone(() => {});
process.exitCode = await run(process.argv.slice(2), process.env);
