import { expect } from '@open-wc/testing';
import { isToolFailure } from '../../src/model/tool-failure.ts';

describe('a failed tool', () => {
  const rows: readonly { readonly signs?: Parameters<typeof isToolFailure>[0]; words?: string; failed: boolean }[] = [
    ...['error', 'ERROR', 'failed', 'interrupted', 'denied', 'cancelled', 'timeout', 'timed_out'].map((state) => ({
      signs: { state },
      words: 'so far',
      failed: true,
    })),
    ...['success', 'ok', 'completed', 'running'].map((status) => ({
      signs: { status },
      words: 'Error: the title of a page',
      failed: false,
    })),
    { signs: { state: null, status: 'failed' }, failed: true },
    { signs: { is_error: true }, words: 'fine', failed: true },
    { signs: { is_error: false }, words: 'Error: is the title', failed: false },
    { signs: { isError: true }, failed: true },
    { signs: { success: false }, failed: true },
    { signs: { success: true }, words: 'Error: x', failed: false },
    ...[
      'Error: command failed',
      '[ERROR] no such host',
      "KeyError: 'city'",
      'java.net.SocketTimeoutException: Read timed out',
      'requests.exceptions.ConnectionError: refused',
      'Traceback (most recent call last):\n  File "a.py"',
      'Failed to open the file',
      '请求失败：服务器没有响应',
      '错误: 没有权限',
      '错误：404',
      '请求失败：500，请重试',
      '错误：无权限',
      '连接失败：30 台服务器没有响应',
      '查询超时：30 秒',
      '{"success":false,"error":"no disk"}',
      '{"success": false, "message": "no disk"}',
      '{"is_error":true,"status":"error"}',
      ' {"isError":true,"content":[]}',
      '{"error":"quota"}',
      '{"error":{"code":429}}',
      '{"status":"error","message":"no disk"}',
    ].map((words) => ({ words, failed: true })),
    ...[
      '',
      'rain',
      'No error',
      'Errors: 0',
      'errors: none',
      'The build has failed: see the log',
      '上周有两次失败',
      '报告\n失败：2\n成功：7',
      '测试完成，失败：2',
      '失败：0，成功：12',
      '执行失败：3 次',
      '错误：0',
      '异常：无',
      '错误：无，全部通过',
      '超时：30秒',
      '{"error":null}',
      '{"error":""}',
      '{"error":false}',
      '{"success":true,"error":"0.1"}',
      '{"error":"0.1","values":[1,2]}',
      '{"status":"failed","orders":2}',
      '[{"success":false}]',
      '"Error"',
    ].map((words) => ({ words, failed: false })),
  ];
  for (const { signs = {}, words = '', failed } of rows) {
    it(`${JSON.stringify(signs)} ${words} is ${failed ? 'one' : 'none'}`, () => {
      expect(isToolFailure(signs, words)).to.equal(failed);
    });
  }
});
