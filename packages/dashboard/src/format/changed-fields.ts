/**
 * Returns the fields of `after` that differ from `before`. A form sends only these fields, so that it does not undo what
 * somebody else has changed since the form was opened.
 */
export function changedFields<Fields extends object>(before: Readonly<Fields>, after: Fields): Partial<Fields> {
  const isSame = (name: string) =>
    JSON.stringify(after[name as keyof Fields]) === JSON.stringify(before[name as keyof Fields]);
  return Object.fromEntries(Object.entries(after).filter(([name]) => !isSame(name))) as Partial<Fields>;
}
