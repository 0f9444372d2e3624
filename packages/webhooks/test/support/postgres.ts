/** A PostgreSQL to test with, which `SVC_TEST_POSTGRES_URL` names. */
export const postgresUrl: string | undefined = process.env['SVC_TEST_POSTGRES_URL'];
