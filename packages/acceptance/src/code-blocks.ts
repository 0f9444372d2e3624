import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { parseGuide } from './guide.ts';

/** Returns the TypeScript code blocks in a Markdown file of the repository. */
export const codeBlocksOf = (file: string): string[] =>
  parseGuide(readFileSync(join(root, file), 'utf8')).flatMap(({ language, code }) => (language === 'ts' ? [code] : []));
