/** Where a tab keeps its admin session, in `sessionStorage`. */
export const ADMIN_SESSION_KEY = 'svc-admin-session';
