/** Returns the name of a profile, or else its email or its external id. A blank name or email does not count. */
export const profileTitle = ({
  name,
  email,
  externalId,
}: {
  name: string | null;
  email: string | null;
  externalId: string;
}): string => [name, email].find((text) => text?.trim()) ?? externalId;
