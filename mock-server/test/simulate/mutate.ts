import { registerHooks } from 'node:module';
import { MUTATIONS } from './mutations.ts';

// Loaded with `node --import`: replaces a part of one source file while it is loaded.
const name = process.env['SVC_MUTATION'] ?? '';
const mutation = MUTATIONS[name];
if (!mutation) throw new Error(`There is no mutation "${name}". There are: ${Object.keys(MUTATIONS).join(', ')}.`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(mutation.file) || loaded.source == null) return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    const [before, after] = [source.split(mutation.replace), mutation.by];
    if (before.length !== 2)
      throw new Error(`The text to replace occurs ${before.length - 1} times in ${mutation.file}.`);
    return { ...loaded, source: before.join(after) };
  },
});
