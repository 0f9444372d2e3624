import type { Storage } from './port.ts';

/** Opens a storage on first use. In tests, most servers never use their storage. */
export function openOnUse(open: () => Storage): Storage {
  let opened: Storage | undefined;
  const use = () => {
    opened ??= open();
    return opened;
  };
  return {
    read: (work) => use().read(work),
    write: (work, options) => use().write(work, options),
    writeAtOnce: (statementsFor) => use().writeAtOnce(statementsFor),
    async [Symbol.asyncDispose]() {
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
