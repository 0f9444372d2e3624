import { useControl } from './use-control.ts';

/** The server's version and settings, and the valid credentials of its seed. */
export const useInfo = () => useControl('/info', {}, ['tenants']);
