import type { Step } from '../step.ts';

/** The long answer, shortened, in Chinese. */
export const chinese: readonly Step[] = [
  {
    type: 'think',
    stage: 'analyzing',
    text: '退款率上升，可能是退款变多，也可能是订单变少。先把二月和三月按商品比较一下。',
  },
  {
    type: 'tool',
    id: 'orders',
    name: 'query_orders',
    description: '查询订单',
    server: 'warehouse',
    arguments: { months: ['2026-02', '2026-03'], group_by: 'product' },
    paces: 30,
    outcome: { result: { 商品: 3, 订单: 8243, 退款: 399 } },
    summary: '3 种商品，8,243 笔订单，399 笔退款',
  },
  {
    type: 'text',
    text: `## 原因是一款背包

三月份的退款率从 **2.1 %** 升到 **3.4 %**，几乎都来自 *Trail 40* 背包：它的卡扣在 3 月 3 日换成了新款。

- 多出来的 287 笔退款里，有 212 笔提到卡扣。
- 订单增加了 4 %，所以不是销量的问题。
- 供应商已确认批次 \`TR40-0326\` 有缺陷。

`,
  },
  {
    type: 'table',
    name: '各商品退款',
    description: '二月与三月各商品的退款情况',
    columns: ['商品', '订单', '退款', '二月', '三月'],
    rows: [
      ['Trail 40 背包', 1310, 248, '2.7 %', '18.9 %'],
      ['Ridge 帐篷', 842, 17, '2.0 %', '2.0 %'],
      ['美利奴打底衫', 6091, 134, '2.3 %', '2.2 %'],
    ],
  },
  {
    type: 'text',
    text: '### 建议\n\n1. 今天就停售这个批次。\n2. 给顾客寄一个新卡扣（成本 3.10 欧元），而不是全额退款。\n3. 差额由供应商承担。\n\n“卡扣第二天就自己松开了。” 这是顾客最常写的一句话。\n',
  },
];
