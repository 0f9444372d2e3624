/** The path of an operation, as the router spells it: `/v1/users/{userId}` becomes `/v1/users/:userId`. */
export const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');
