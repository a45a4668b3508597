/** What makes an account name unique: no regard to case and width. Also the key of locks. */
export const nameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase();
