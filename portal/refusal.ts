// An error that is shown to the user as a page.

export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: 400 | 403 | 415 | 429;
  readonly title: string;

  constructor(status: Refusal['status'], title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}
