/** An error that the management API returns as `{error, message}`. */
export class HttpError extends Error {
  readonly statusCode: number;
  readonly error: string;
  constructor(statusCode: number, error: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.error = error;
  }
}

export const notFound = (message: string) => new HttpError(404, 'not_found', message);
