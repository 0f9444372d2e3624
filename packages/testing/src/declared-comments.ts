import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The comments on the types of a built package, as an editor shows them. */
export interface DeclaredComments {
  /** Returns the comments before and inside a type, on one line, or an empty string if the type does not exist. */
  of(name: string): string;
  /** Whether the comments of the type contain the note "The service document does not show". */
  sayNotShown(name: string): boolean;
}

/** @param dist - The folder with the package's declarations. */
export function readDeclaredComments(dist: string): DeclaredComments {
  const declarations = globSync('*.d.ts', { cwd: dist })
    .map((name) => readFileSync(join(dist, name), 'utf8'))
    .join('\n');
  const comments: DeclaredComments = {
    of(name) {
      const start = new RegExp(
        `((?:/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*)?)(?:declare |export )*(?:interface|type) ${name}\\b[^]*?\\n}?(?=\\n)`,
      );
      const [found = ''] = start.exec(declarations) ?? [];
      return found.replaceAll(/\s+\*?\s*/g, ' ');
    },
    sayNotShown: (name) => comments.of(name).includes('The service document does not show'),
  };
  return comments;
}
