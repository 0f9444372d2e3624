/** The key under which a tab stores its admin session in `sessionStorage`. */
export const ADMIN_SESSION_KEY = 'svc-admin-session';
