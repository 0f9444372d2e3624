export const ADMIN_SESSION_KEY = 'svc-admin-session';
