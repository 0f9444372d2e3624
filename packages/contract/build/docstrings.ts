import ts from 'typescript';

/** The texts of a type's docstrings. The name of a field in an inner object is a path, such as `user.id`. */
export interface Documented {
  about: string;
  fields: Readonly<Record<string, string>>;
}

/**
 * Reads the docstrings of the types in the given source texts. A field without a docstring gets the docstring of its
 * type.
 *
 * @param separate - The names of the types that are described separately. If a field has one of these types, the result
 *   does not contain the fields of that type.
 */
export function readDocstrings(
  sources: readonly string[],
  separate: ReadonlySet<string> = new Set(),
): (name: string) => Documented {
  const declared = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();
  for (const code of sources) {
    ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest, true).forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) declared.set(node.name.text, node);
    });
  }

  /** Returns the docstring of a named type, or an empty string. */
  function aboutOf(type: ts.TypeNode | undefined): string {
    const found = type && ts.isTypeReferenceNode(type) && declared.get(type.typeName.getText());
    return found ? textOf(found) : '';
  }

  /** Returns the texts of the fields that `Pick<Type, 'one' | 'other'>` names. */
  function pickedFrom({ typeArguments: [type, names] = [] as never }: ts.NodeWithTypeArguments, prefix: string) {
    const picked = new Set([...(names?.getText() ?? '').matchAll(/\w+/g)].map(([name]) => prefix + name));
    return Object.fromEntries(
      Object.entries(fieldsOf(type && declared.get(type.getText()), prefix)).filter(([path]) => picked.has(path)),
    );
  }

  function fieldsOf(node: ts.Node | undefined, prefix: string): Record<string, string> {
    if (node === undefined) return {};
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const [name = ''] = node.getText().split('<', 1);
      if (name === 'Pick') return pickedFrom(node, prefix);
      if (ts.isTypeReferenceNode(node) && separate.has(name)) return {};
      const found = declared.get(name);
      return { ...fieldsOf(found, prefix), ...fieldsOf(found ? undefined : node.typeArguments?.[0], prefix) };
    }
    if (ts.isTypeAliasDeclaration(node)) return fieldsOf(node.type, prefix);
    if (ts.isArrayTypeNode(node)) return fieldsOf(node.elementType, prefix);
    if (ts.isParenthesizedTypeNode(node)) return fieldsOf(node.type, prefix);
    if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) {
      const forms = node.types.map((type) => fieldsOf(type, prefix));
      return node.types.every(ts.isTypeLiteralNode) ? forms.reduce(together, {}) : Object.assign({}, ...forms);
    }
    if (!ts.isInterfaceDeclaration(node) && !ts.isTypeLiteralNode(node)) return {};
    const inherited = ts.isInterfaceDeclaration(node) ? node.heritageClauses?.flatMap(({ types }) => types) : undefined;
    return Object.assign(
      {},
      ...(inherited ?? []).map((type) => fieldsOf(type, prefix)),
      ...node.members.filter(ts.isPropertySignature).map((member) => {
        const path = `${prefix}${member.name.getText()}`;
        return { [path]: textOf(member) || aboutOf(member.type), ...fieldsOf(member.type, `${path}.`) };
      }),
    );
  }

  return (name) => {
    const node = declared.get(name);
    if (!node) throw new Error(`No type has the name ${name}.`);
    return { about: textOf(node), fields: fieldsOf(node, '') };
  };
}

/** Returns the docstring as one line, without its sample. */
export function textOf(node: ts.Node): string {
  const [docstring] = ts.getJSDocCommentsAndTags(node);
  return (docstring?.getText() ?? '')
    .replaceAll(/^\/\*\*|\*\/$/g, '')
    .replaceAll(/^\s*\* ?/gm, ' ')
    .replaceAll(/\{@includeCode[^}]*\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Merges the fields of two members of a union type. If both members have a field, their texts for this field must be
 * equal, because the document has only one text for each field.
 *
 * @throws if the two members have different texts for a field.
 */
function together(left: Record<string, string>, right: Record<string, string>): Record<string, string> {
  for (const [path, text] of Object.entries(right)) {
    const other = left[path];
    if (other && text && other !== text) throw new Error(`"${path}" has two texts: "${other}" and "${text}"`);
  }
  return { ...left, ...right };
}
