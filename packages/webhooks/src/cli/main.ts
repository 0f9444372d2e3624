#!/usr/bin/env node
import { onReaderGone } from './print.ts';
import { run } from './run.ts';

// Do not stop the command here, because its exit code still reports the result.
onReaderGone(() => {});
process.exitCode = await run(process.argv.slice(2), process.env);
