import { join } from 'node:path';
import { root } from '@svc/testing';
import ts from 'typescript';
import type { Manifest } from './manifests.ts';

export interface ApiReport {
  /** The report: each entry with its exported declarations, without comments. */
  text: string;
  /** Exported names without a docstring, such as `@svc/client: createClient`. */
  undocumented: string[];
  /** The exported names, without the entries that export them. */
  names: ReadonlySet<string>;
  /** Maps the name of each mentioned interface to the name of an exported declaration that mentions the interface. */
  mentioned: ReadonlyMap<string, string>;
}

export function reportOn(folder: string, { name, exports }: Pick<Manifest, 'name' | 'exports'>): ApiReport {
  const entries = Object.entries(exports ?? {}).flatMap(([entry, target]) => {
    const types = typesOf(target);
    return types ? [{ title: name + entry.slice(1), file: join(root, folder, types) }] : [];
  });
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    skipLibCheck: true,
  };
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    options,
  );
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  const undocumented = new Set<string>();
  const names = new Set<string>();
  const mentioned = new Map<string, string>();

  const sections = entries.map(({ title, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing. Run \`npm run build\`.`);
    const symbols = checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const declarations = symbols.map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const own = (symbol.declarations ?? []).filter((declaration) => isOurs(declaration));
      if (own.length && !isDescribed(symbol, checker)) undocumented.add(`${title}: ${exported.name}`);
      names.add(exported.name);
      for (const name of own.flatMap((declaration) => interfacesIn(declaration, checker)))
        mentioned.set(name, `${title}: ${exported.name}`);
      if (!own.length) return `export ${exported.name}: from another package`;
      const [first = own[0]] = own;
      return own
        .map((declaration) =>
          printer.printNode(ts.EmitHint.Unspecified, statementOf(declaration), declaration.getSourceFile()),
        )
        .join('\n')
        .replace(/^(?:export )?(?:declare )?/, () =>
          first && symbol.name !== exported.name ? `export as ${exported.name}: ` : 'export ',
        );
    });
    return `## ${title}\n\n\`\`\`ts\n${declarations.join('\n\n')}\n\`\`\`\n`;
  });
  return {
    text: `# The public names of ${name}\n\n\`npm run check:api -- --write\` writes this file. A change to this file is a change for users.\n\n${sections.join('\n')}`,
    undocumented: [...undocumented],
    names,
    mentioned,
  };
}

/** Finds `types` in a target such as `{ types }` or `{ import: { types } }`. Prefers the declarations for ESM. */
function typesOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const { types, import: esm } = target as { types?: string; import?: unknown };
  return types ?? typesOf(esm);
}

const isOurs = (node: ts.Node) => /\/(?:packages\/\w+|mock-server)\/dist\//.test(node.getSourceFile().fileName);

/** Returns the whole statement for a variable, because the declaration alone prints without `const`. */
const statementOf = (node: ts.Node): ts.Node =>
  ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;

const isDescribed = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol.getDocumentationComment(checker).length > 0 || symbol.getJsDocTags(checker).length > 0;

/** Returns the names of all interfaces from this repository that the node mentions. */
function interfacesIn(node: ts.Node, checker: ts.TypeChecker): string[] {
  const inner: string[] = [];
  node.forEachChild((child) => void inner.push(...interfacesIn(child, checker)));
  const reference = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : undefined;
  const named = reference && checker.getSymbolAtLocation(reference);
  const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  const isInterface = (one: ts.Node) => ts.isInterfaceDeclaration(one) && isOurs(one) && ts.isSourceFile(one.parent);
  return symbol?.declarations?.some(isInterface) ? [symbol.name, ...inner] : inner;
}
