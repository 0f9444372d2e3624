/** Converts the path of an operation to the router's syntax: `/v1/users/{userId}` becomes `/v1/users/:userId`. */
export const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');
