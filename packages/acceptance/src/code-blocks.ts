import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';

/** The TypeScript blocks of a Markdown file of the repository. */
export const codeBlocksOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => String(code));
