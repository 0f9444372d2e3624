import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The comments on a built package's types, in the form that an editor shows. */
export interface DeclaredComments {
  /** Returns a type's declaration with its comments, on one line, or an empty string if there is no such type. */
  of(name: string): string;
  /** Whether the comments contain the note "The service document does not show". */
  sayNotShown(name: string): boolean;
}

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
