import { useControl } from './use-control.ts';

export const useInfo = () => useControl('/info', {}, ['tenants']);
