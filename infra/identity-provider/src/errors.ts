/** A refusal that the management API answers as `{error, message}`. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly error: string;
  constructor(statusCode: number, error: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.error = error;
  }
}
