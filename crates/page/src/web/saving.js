// Saves what was found as a file.
const saving = (() => {
  const KINDS = {
    html: { name: "report.html", type: "text/html" }, pgn: { name: "annotated.pgn", type: "application/x-chess-pgn" },
    csv: { name: "moves.csv", type: "text/csv" }, jsonl: { name: "games.jsonl", type: "application/jsonl" },
  };

  async function save(form) {
    const { name, type } = KINDS[form], blob = new Blob([await analysis.save(form)], { type });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    return { name, size: blob.size };
  }

  return { save };
})();
