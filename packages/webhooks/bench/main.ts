import { printHelpIfAsked } from '../../../scripts/usage.ts';
import { printColdStarts } from './cold-start.ts';
import { printJunk } from './junk.ts';
import { medianSpeed } from './median-speed.ts';
import { printSizes } from './sizes.ts';
import { printTargets } from './targets.ts';

printHelpIfAsked(`
Compares our package with other receiver libraries, in one run on one machine.

  npm run bench -- webhooks
  npm run bench -- webhooks --speed   without cold starts and sizes
`);

console.log(
  `Node ${process.versions.node}. Lower quartiles of interleaved batches, in CPU time. A ratio is the other library's time divided by ours, and a figure is the median of three processes.\n`,
);
const figures = await medianSpeed();
await printJunk();
if (!process.argv.includes('--speed')) figures.push(...printColdStarts(), ...(await printSizes()));
printTargets(figures);
