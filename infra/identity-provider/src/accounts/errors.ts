import { HttpError } from '../errors.ts';

export class UnknownAccount extends HttpError {
  constructor() {
    super(404, 'not_found', 'No such user');
  }
}

export class EmailTaken extends HttpError {
  constructor() {
    super(409, 'email_taken', 'Another user has this e-mail address');
  }
}
