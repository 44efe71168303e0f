// The API page: both versions, ready to try out. ?version=v2 shows v2.
const version = new URLSearchParams(location.search).get("version") === "v2" ? "v2" : "v3";
SwaggerUIBundle({
  url: `/api/${version}/openapi.json`,
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
});
