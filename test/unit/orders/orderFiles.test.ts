import { describe, expect, test } from 'vitest'
import { answerContent, answerIn, filesOf, headOf, nonceOfOrder, orderContent, orderIn } from '../../../src/orders/orderFiles.ts'

const nonce = '0e8a7c7e-0000-4000-8000-00000000000a'
const bodyOf = (order: unknown) => orderContent('run', nonce, order).subarray(headOf('run', nonce).length)

describe('the name of an order', () => {
  test('has its nonce', () => expect(nonceOfOrder(`${nonce}.order`)).toBe(nonce))

  test.each([
    `${nonce}.taken`,
    `${nonce}.order.order`,
    `${nonce}.order\n`,
    `\u001b[31m${nonce}.order`,
    `../${nonce}.order`,
    `${nonce.toUpperCase()}.order`,
    '.order',
    'x.order',
  ])('is not %j', (name) => expect(nonceOfOrder(name)).toBeUndefined())
})

test('all files of an order have names of their own, in one folder', () => {
  const paths = Object.values(filesOf('/journal/orders', nonce))
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths.filter((path) => !path.startsWith(`/journal/orders/${nonce}.`))).toEqual([])
})

describe('what is written is read again', () => {
  test.each([[{ kind: 'apply', ids: ['9d41'] }], ['a text'], [null], [[1, 2]], [false]])('%j', (value) => {
    expect(orderIn(bodyOf(value))).toEqual({ order: value })
    expect(answerIn(answerContent(value))).toEqual({ answer: value })
  })

  test('an answer without a value', () => expect(answerIn(answerContent(undefined))).toEqual({ answer: undefined }))
})

test('the first line is one line and differs by run and nonce', () => {
  const heads = [headOf('a', 'b'), headOf('a', 'c'), headOf('c', 'b'), headOf('a\n', 'b')].map(String)
  expect(new Set(heads).size).toBe(4)
  expect(heads.map((head) => head.indexOf('\n') - head.length)).toEqual([-1, -1, -1, -1])
})

test.each(['', '{', '[]', 'null', '{"x":1}', '"order"'])('%j is no order', (text) => expect(orderIn(Buffer.from(text))).toBeUndefined())
test.each(['', '{', '[]', 'null', '"answer"'])('%j is no answer', (text) => expect(answerIn(Buffer.from(text))).toBeUndefined())
