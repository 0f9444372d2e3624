#!/usr/bin/env node
import { onReaderGone } from './print.ts';
import { run } from './run.ts';

// The command continues, because its exit code still says what happened.
onReaderGone(() => {});
process.exitCode = await run(process.argv.slice(2), process.env);
