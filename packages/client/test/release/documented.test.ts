import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Application,
  type Comment,
  type DeclarationReflection,
  type ProjectReflection,
  ReferenceReflection,
} from 'typedoc';
import { beforeAll, describe, expect, it } from 'vitest';

const home = join(import.meta.dirname, '../..');
const documented = join(import.meta.dirname, '../documented');

/** The files that examples are taken from. `npm run typecheck` compiles them. */
const compiled = readdirSync(documented).map((name) => readFileSync(join(documented, name), 'utf8'));

/** TypeDoc attaches the comment of a function, or of a function type, to its signatures. */
function commentsOf({ comment, signatures, type }: DeclarationReflection): Comment[] {
  const called = type?.type === 'reflection' ? type.declaration.signatures : undefined;
  return [comment, ...[...(signatures ?? []), ...(called ?? [])].map((signature) => signature.comment)].filter(
    (found) => found !== undefined,
  );
}

/** Resolves an export that is declared in another entry. TypeDoc represents it as a reference. */
function declarationOf(exported: DeclarationReflection): DeclarationReflection {
  return exported instanceof ReferenceReflection
    ? (exported.getTargetReflectionDeep() as DeclarationReflection)
    : exported;
}

function hasExample(comment: Comment): boolean {
  return comment.summary.some(({ kind, text }) => {
    const [, code] = (kind === 'code' && /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(text)) || [];
    return code !== undefined && compiled.some((file) => file.includes(code));
  });
}

/** Every export of a public entry without a compiled example, as `entry: name`. */
const withoutExample = (project: ProjectReflection): string[] =>
  (project.children ?? []).flatMap((entry) =>
    (entry.children ?? [])
      .filter((exported) => !commentsOf(declarationOf(exported)).some(hasExample))
      .map(({ name }) => `${entry.name}: ${name}`),
  );

describe('the API documents', () => {
  let app: Application;
  let project: ProjectReflection;

  beforeAll(async () => {
    app = await Application.bootstrap({
      options: join(home, 'typedoc.json'),
      // `npm run typecheck` reports what does not compile.
      skipErrorChecking: true,
      excludeInternal: true,
      disableSources: true,
      logLevel: 'Warn',
      validation: { notExported: true, invalidLink: true, notDocumented: false },
    });
    const converted = await app.convert();
    if (!converted) throw new Error('TypeDoc returned no project; see its output');
    project = converted;
  });

  it('show a compiled example for every export of every entry', () => {
    expect(project.children?.map(({ name }) => name)).toEqual(['index', 'schemas', 'testing']);
    expect(withoutExample(project)).toEqual([]);
  });

  it('fail the check if an example is missing or is not compiled', () => {
    const [missing, uncompiled] = ['index.Workspace', 'index.Role'].map((name) => project.getChildByName(name));
    const before = [missing?.comment, uncompiled?.comment?.clone()];
    if (!missing || !uncompiled?.comment) throw new Error('Workspace and Role are documented');
    try {
      delete missing.comment;
      uncompiled.comment.summary = [{ kind: 'code', text: '```ts\nconst role: Role = 1;\n```' }];
      expect(withoutExample(project).toSorted()).toEqual(['index: Role', 'index: Workspace']);
    } finally {
      [missing.comment, uncompiled.comment] = before as [Comment, Comment];
    }
  });

  it('do not refer to undocumented parts of the package, except for marked ones', () => {
    app.validate(project);
    expect(app.logger.warningCount + app.logger.errorCount).toBe(0);
  });
});
