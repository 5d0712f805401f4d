/** The user and the password in the first server's URL, which the client itself leaves unread. */
export function readCredentials(servers: string): { user?: string; pass?: string } {
  const [first = ''] = servers.split(',');
  const { username, password } = new URL(first.trim());
  return username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {};
}
