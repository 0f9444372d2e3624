/** Reads the bearer credential from an `Authorization` header. `authenticate` in `caller.ts` checks the credential. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
