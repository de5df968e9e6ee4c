// What implementations promise, and where that differs from the documents.

const difference_heads = [
  ["other", "Where a document says something else"],
  ["less", "Where a document wants more"],
  ["more", "Where a document leaves it open"],
];

function promise_of(promise) {
  const lists = difference_heads.map(([kind, head]) => {
    const said = promise.differences.filter((one) => one.kind === kind);
    return said.length > 0 && [h4(head), ul(said.map((one) => li(text(one.says))))];
  });
  return [
    h3(text(promise.backend), " promises ", text(promise.name)),
    lists.some(Boolean) ? lists : p("Nothing but what the documents say."),
  ];
}

function promises_section() {
  return [p("Each implementation is tested against its own word."), ...report.promises.map(promise_of)];
}
