import type { OpenApiDocument } from './documents.ts';

export const tagSlug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** Returns Scalar's anchor for each operation id. No operation id occurs in two documents. */
export function anchorsOf(documents: Readonly<Record<string, OpenApiDocument>>): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  for (const [slug, { paths }] of Object.entries(documents)) {
    for (const { operationId, tags } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const [tag] = tags;
      anchors.set(operationId, [slug, ...(tag === undefined ? [] : ['tag', tagSlug(tag)]), operationId].join('/'));
    }
  }
  return anchors;
}
