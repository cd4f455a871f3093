// What a thread's start takes is not counted as what it is asked, and a thread that does not start is no fault of who
// asks.
import { expect, test } from 'vitest';
import { AskedThread } from '../../router/execution/asked-thread.ts';

test('a thread that ends before it is loaded is reported as unavailable, and started again for the next request', async () => {
  const thread = new AskedThread<object, object>({
    entry: 'test/router/ending-thread.ts',
    name: 'thinking',
    tell: () => undefined,
    tooMuch: 'too much',
  });
  for (let time = 0; time < 2; time++)
    await expect(thread.ask({}, {}, { actor: 'user:a' })).rejects.toMatchObject({
      code: 'component_unavailable',
      message: 'thinking: its thread could not be started',
    });
});
