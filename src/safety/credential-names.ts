/**
 * The names of headers and query parameters that are credentials, as the source of a pattern without case: `Authorization`, `api_key`,
 * not `author`.
 */
export const CREDENTIAL_NAMES = 'auth(?!or(?!i[sz]))|key|token|secret|cookie|session|pass|pwd|credential|ticket|jwt';
