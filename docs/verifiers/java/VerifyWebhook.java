// A webhook receiver in Java 17 or later, without dependencies.
//
// WEBHOOK_SECRETS='whsec_… whsec_…' PORT=8080 java VerifyWebhook.java

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class VerifyWebhook {
  private static final int MAX_BODY = 16 * 1024 * 1024;
  private static final DateTimeFormatter NOW =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final List<String> SECRETS =
      List.of(System.getenv("WEBHOOK_SECRETS").trim().split("\\s+"));
  private static final long TOLERANCE = Long.parseLong(env("WEBHOOK_TOLERANCE", "300"));

  // Yours are tables, written in the transaction that applies the message.
  private static final Set<String> seen = new HashSet<>();
  private static final Map<String, Long> newest = new HashMap<>();

  /** Whether the body, as received, was signed by the platform within the tolerance. */
  static boolean verify(Headers headers, byte[] body, long now) throws GeneralSecurityException {
    String timestamp = header(headers, "webhook-timestamp");
    if (!timestamp.matches("[0-9]{1,11}")) return false;
    if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE) return false;
    String start = header(headers, "webhook-id") + "." + timestamp + ".";
    String[] given = header(headers, "webhook-signature").split(" ");
    for (String secret : SECRETS) {
      String expected = "v1," + Base64.getEncoder().encodeToString(mac(secret, start, body));
      if (contains(given, expected)) return true;
    }
    return false;
  }

  /** The older header. Its `now` is the body's, and the same second as webhook-timestamp. */
  static boolean verifyXSignatureRequest(Headers headers, byte[] body)
      throws GeneralSecurityException {
    long seconds = Long.parseLong(header(headers, "webhook-timestamp"));
    String start = NOW.format(Instant.ofEpochSecond(seconds)) + ".";
    String[] given = header(headers, "x-signature-request").split(",");
    for (String secret : SECRETS) {
      String expected = "v1=" + HexFormat.of().formatHex(mac(secret, start, body));
      if (contains(given, expected)) return true;
    }
    return false;
  }

  private static byte[] mac(String secret, String start, byte[] body)
      throws GeneralSecurityException {
    byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update(start.getBytes(StandardCharsets.UTF_8));
    return mac.doFinal(body);
  }

  private static boolean contains(String[] given, String expected) {
    byte[] right = expected.getBytes(StandardCharsets.UTF_8);
    boolean found = false;
    // MessageDigest.isEqual takes the same time wherever two differ; String.equals does not.
    for (String each : given) {
      found |= MessageDigest.isEqual(right, each.getBytes(StandardCharsets.UTF_8));
    }
    return found;
  }

  /** Applies a message once; what it returns is told to the POS user as the reason of a refusal. */
  private static synchronized String take(String id, long sequence, String body) {
    if (seen.contains(id)) return null;
    String externalId = field(body, "external_id");
    String stock = field(body, "current_stock");
    // Both: an event may speak of an item too.
    if (externalId != null && stock != null) {
      if (stock.startsWith("-")) return "The stock cannot be negative.";
      String item = field(body, "store_id") + "/" + externalId;
      // A retry may arrive after a newer update of the same item: older news is no news.
      if (sequence > newest.getOrDefault(item, -1L)) {
        newest.put(item, sequence);
        System.out.println("stock of " + item + " is " + stock);
      }
    }
    seen.add(id);
    return null;
  }

  /** A text field of a stock movement. Read yours with the JSON library that you have. */
  private static String field(String body, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([^\"\\\\]*)\"").matcher(body);
    return found.find() ? found.group(1) : null;
  }

  private static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
      Headers headers = exchange.getRequestHeaders();
      if (body.length > MAX_BODY) {
        exchange.sendResponseHeaders(413, -1);
        return;
      }
      // The first is enough, and an event has no other. The older one is here to show how.
      long now = Instant.now().getEpochSecond();
      boolean hasOlder = headers.containsKey("X-Signature-Request");
      if (!verify(headers, body, now) || hasOlder && !verifyXSignatureRequest(headers, body)) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      long sequence = Long.parseLong(header(headers, "webhook-sequence"));
      String text = new String(body, StandardCharsets.UTF_8);
      String refusal = take(header(headers, "webhook-id"), sequence, text);
      if (refusal == null) {
        exchange.sendResponseHeaders(204, -1);
        return;
      }
      byte[] answer = ("{\"message\":\"" + refusal + "\"}").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(422, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (GeneralSecurityException | RuntimeException error) {
      exchange.sendResponseHeaders(500, -1);
    }
  }

  private static String header(Headers headers, String name) {
    String value = headers.getFirst(name);
    return value == null ? "" : value;
  }

  private static String env(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null ? otherwise : value;
  }

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(env("PORT", "8080"));
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
    server.createContext("/", VerifyWebhook::receive);
    server.start();
    System.out.println("listening on " + server.getAddress().getPort());
  }
}
