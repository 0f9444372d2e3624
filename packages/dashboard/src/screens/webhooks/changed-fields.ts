/**
 * Returns the fields of `after` that differ from `before`. A form sends only these fields, so that it does not undo what
 * somebody else has changed since the form was opened.
 */
export const changedFields = <Fields extends object>(before: Readonly<Fields>, after: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
    ),
  ) as Partial<Fields>;
